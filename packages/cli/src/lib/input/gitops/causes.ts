import { type KubernetesObject, objectIn, refOf } from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import type { Sign } from '../../model/unrendered.ts';
import { variableIn } from './variables.ts';

/**
 * Returns the cause of a rendered change of an object, as part of a sentence: the variable that is filled in, or the field of the renderer.
 *
 * @param sign The field of the renderer. Default: there is none.
 */
export function changeCause(object: KubernetesObject, sign?: Sign): string {
  const variable = sign?.effect === undefined ? variableIn(object) : undefined;
  const name = formatRef(refOf(object));
  if (variable !== undefined) return `\`${variable.text}\` in ${variable.place} of ${name}`;
  return sign === undefined
    ? `another declaration of ${name}`
    : `${sign.what} in ${sign.source} ${sign.effect ?? 'changes'} ${name}`;
}

/**
 * Returns where an object may come from that is not in the input, as part of a sentence.
 *
 * @param name The name of the object, without its namespace.
 * @param charts The objects with controllers that render charts or other repositories.
 * @param others Input that may contain any objects.
 */
export function originOf(
  name: string,
  charts: readonly { readonly object: KubernetesObject }[],
  others: readonly Sign[],
): string | undefined {
  const [chart] = charts.toSorted((a, b) => likeness(b.object, name) - likeness(a.object, name));
  if (chart !== undefined) return formatRef(refOf(chart.object));
  const [sign] = others;
  return sign && `${sign.what} in ${sign.source}`;
}

/** Returns how likely a chart has an object: charts name objects after their release. */
function likeness({ metadata, spec }: KubernetesObject, name: string): number {
  if (metadata.name === name) return 3;
  if (name.startsWith(`${metadata.name}-`)) return 2;
  return JSON.stringify(objectIn(spec)).includes(`"${name}"`) ? 1 : 0;
}
