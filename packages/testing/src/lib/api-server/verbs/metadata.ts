import { isJsonObject, type JsonObject, type JsonValue, stringIn } from '@policy-machinery/resource';
import type { ServerMeta } from '../objects.ts';

/** Returns the metadata of an object after a change: fields of clients as sent, and fields of the server as before. */
export function metadataAfter(sent: JsonObject, stored: ServerMeta): ServerMeta {
  return {
    ...generateNameIn(sent),
    name: stored.name,
    ...(stored.namespace === undefined ? {} : { namespace: stored.namespace }),
    uid: stored.uid,
    resourceVersion: stored.resourceVersion,
    ...(stored.generation === undefined ? {} : { generation: stored.generation }),
    creationTimestamp: stored.creationTimestamp,
    ...(stored.deletionTimestamp === undefined
      ? {}
      : { deletionTimestamp: stored.deletionTimestamp, deletionGracePeriodSeconds: 0 }),
    ...textsIn(sent),
    ...(stored.managedFields === undefined ? {} : { managedFields: stored.managedFields }),
  };
}

/** Returns the metadata that clients set: labels, annotations, owners and finalizers. Empty ones are left out. */
export function textsIn(sent: JsonObject): Pick<ServerMeta, 'labels' | 'annotations' | 'finalizers'> & JsonObject {
  const { labels, annotations, ownerReferences, finalizers } = sent;
  return {
    ...(isTextMap(labels) ? { labels } : {}),
    ...(isTextMap(annotations) ? { annotations } : {}),
    ...(isList(ownerReferences) ? { ownerReferences } : {}),
    ...(isList(finalizers) ? { finalizers: finalizers.flatMap((each) => stringIn(each) ?? []) } : {}),
  };
}

/** Returns the prefix of a name that the server has chosen. */
export function generateNameIn({ generateName }: JsonObject): JsonObject {
  return typeof generateName === 'string' && generateName !== '' ? { generateName } : {};
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] =>
  Array.isArray(value) && value.length > 0;

function isTextMap(value: JsonValue | undefined): value is Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return false;
  const texts = Object.values(value);
  return texts.length > 0 && texts.every((text) => typeof text === 'string');
}
