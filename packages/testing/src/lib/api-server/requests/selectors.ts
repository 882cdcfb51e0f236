import { messageOf, parseSelector } from '@policy-machinery/resource';
import { selectorTest } from '@policy-machinery/resource/inner';
import type { ServerObject } from '../objects.ts';
import { badRequest } from '../statuses.ts';

/** Returns whether a request is about an object. */
export type ObjectTest = (object: ServerObject) => boolean;

/** The fields that each kind can be selected by. */
const fields: Readonly<Record<string, (object: ServerObject) => string>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
};

/**
 * Reads the selectors of a LIST or a WATCH.
 *
 * @param query The query of its URL.
 * @returns Whether an object is selected.
 * @throws {StatusError} 400, if a selector is malformed, or of a field that objects are not selected by.
 */
export function selectorOf({ labelSelector = '', fieldSelector = '' }: Readonly<Record<string, string>>): ObjectTest {
  const byLabels = labelTest(labelSelector);
  const byFields = fieldSelector === '' ? [] : fieldSelector.split(',').map(fieldTest);
  return (object) => byLabels(object) && byFields.every((test) => test(object));
}

function labelTest(text: string): ObjectTest {
  if (text === '') return () => true;
  try {
    const test = selectorTest(parseSelector(text));
    return ({ metadata }) => test(metadata.labels);
  } catch (error) {
    throw badRequest(`unable to parse requirement: ${messageOf(error)}`);
  }
}

function fieldTest(text: string): ObjectTest {
  const [, name = '', operator, value = ''] = /^([^=!]+)(==?|!=)(.*)$/.exec(text) ?? [];
  const read = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (operator === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  if (read === undefined) throw badRequest(`field label not supported: ${name}`);
  return (object) => (read(object) === value) === (operator !== '!=');
}
