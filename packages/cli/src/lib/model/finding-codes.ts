/** The meaning of a code of a finding, and the remedy. */
export interface FindingCode {
  /** In one sentence. */
  readonly means: string;
  /** In one sentence. */
  readonly repair: string;
}

const code = (means: string, repair: string): FindingCode => ({ means, repair });

/** The findings of `lint` about policies, and about their targets. */
const ofPolicies = {
  'replaced-protection': code(
    'A policy replaces the authentication or authorization of a policy above, so that requests lose it.',
    'Set the field that merges both, such as mergeType, or accept the finding with a reason.',
  ),
  'missing-target': code('A policy targets an object that does not exist.', 'Create the object, or correct the name.'),
  'missing-section': code(
    'A policy targets a listener, rule or port that its object does not have.',
    'Correct the sectionName, or name the section.',
  ),
  'unsupported-target': code(
    'A policy targets a kind that its own kind does not support.',
    'Target one of the kinds that the message names.',
  ),
  'repeated-target': code(
    'A policy names a target twice. It counts once, and the controller of its kind may report a conflict.',
    'Remove one of the references.',
  ),
  'cross-namespace-target': code(
    'A policy targets an object of another namespace, which its kind does not allow.',
    'Move the policy into that namespace.',
  ),
  'cluster-scoped-target': code(
    'A policy targets a cluster-scoped object, which its kind does not allow.',
    'Target an object in the namespace of the policy.',
  ),
  'reference-not-permitted': code(
    'A policy targets an object of another namespace, and no ReferenceGrant permits it.',
    'Create a ReferenceGrant in the namespace of the object, or move the policy.',
  ),
  'nothing-selected': code(
    'The selector of a policy selects no object within its reach.',
    'Correct the selector, or label an object.',
  ),
  'too-many-policies': code(
    'More policies select an object than are read.',
    'Select other objects, or remove some of the policies.',
  ),
  'missing-policy': code('An object names a policy that does not exist.', 'Create the policy, or correct the name.'),
  'unreachable-target': code(
    'Nothing that the kind of the policy affects is below its target.',
    'Target the object that the policy is meant for, or one above it.',
  ),
  'not-in-any-path': code(
    'No request reaches the target of a policy: nothing is below it, or no parent accepts its route.',
    'Correct the parentRefs of the route, or allowedRoutes of the listener.',
  ),
  overridden: code(
    'Other policies take all fields of a policy.',
    'Remove the policy, or change the one that prevails.',
  ),
  conflicted: code(
    'An older policy of the same kind has the same target, so that this one does not count.',
    'Merge both policies into one.',
  ),
  pending: code(
    'The controller has not yet decided about the target of a policy.',
    'Wait, or look at the status of the target.',
  ),
  undecided: code(
    'The outcome of a policy, or the rule that takes a request, depends on objects or ages that are not in the input.',
    'Add the objects to the input, or make the matches of the routes differ.',
  ),
  'no-requests': code(
    'Other rules take all requests of the targets of a policy.',
    'Change the matches or hostnames of the routes.',
  ),
  'refused-by-controller': code(
    'The controller of a policy refuses it, by its status.',
    'Correct the fault that the status names.',
  ),
  'refused-when-merged': code(
    'Policies that are valid alone have a merged spec that its schema refuses.',
    'Change one of the policies that the message names.',
  ),
  'invalid-spec': code(
    'The spec of a policy does not have the form that its schema or its kind asks for.',
    'Correct the field that the message names.',
  ),
  'invalid-target-ref': code(
    'A reference of a policy to its target does not have the required form.',
    'Correct the fields of the reference.',
  ),
  'invalid-target-selector': code(
    'A target selector of a policy does not have the required form.',
    'Correct the fields of the selector.',
  ),
  'unread-policy': code(
    'A policy of a known kind has a version that is not read.',
    'Write the policy in the version that the message names.',
  ),
  'unread-field': code('A reference does not use a field.', 'Remove the field, or correct its spelling.'),
  'merge-problem': code('Values of two policies cannot be merged.', 'Give the field the same form in both.'),
  'condition-failed': code('The condition of a policy cannot be evaluated.', 'Correct the expression.'),
  'strategy-failed': code('The strategy that merges policies of a kind fails.', 'Correct the strategy of the kind.'),
  'too-many-contexts': code(
    'More combinations of policies reach a target than are computed.',
    'Use fewer Gateways or listeners for the route.',
  ),
} as const;

/** The findings about Gateways, routes and other objects. */
const ofObjects = {
  'unresolved-reference': code(
    'An object refers to another one that does not exist.',
    'Create the object, or correct the reference.',
  ),
  'refused-reference': code(
    'An object refers to another one, which refuses it.',
    'Permit the reference there, or correct it.',
  ),
  'not-in-input': code(
    'An object refers to another one that is not in the input.',
    'Add the object, or correct the reference.',
  ),
  'listener-conflict': code(
    'Two listeners of a Gateway have the same port and hostname, so that one takes no requests.',
    'Change the port or the hostname.',
  ),
  'not-programmed': code(
    'A Gateway or listener is not programmed, by its status.',
    'Correct the fault that the status names.',
  ),
  'status-differs': code(
    'The status of a route or listener does not agree with its spec.',
    'Wait for the controller, or look into its log.',
  ),
  'status-outdated': code(
    'The status of a policy is about an earlier generation.',
    'Wait for the controller, or look into its log.',
  ),
  'status-missing': code(
    'A policy does not have a status.',
    'Look whether its controller runs, and whether it takes the policy.',
  ),
  'invalid-reference-grant': code(
    'A ReferenceGrant does not have the required form, and permits nothing.',
    'Correct the fields that the message names.',
  ),
  cycle: code('Objects refer to each other in a circle.', 'Remove one of the references.'),
  'section-name-collision': code('Two sections of an object have the same name.', 'Rename one of them.'),
  'too-many-sections': code('An object has more sections than are read.', 'Divide the object.'),
  'being-deleted': code('An object is being deleted, and is ignored.', 'Wait until it is gone.'),
  'invalid-regular-expression': code('The regular expression of a match cannot be read.', 'Correct the expression.'),
  'costly-regular-expression': code(
    'The regular expression of a match may take too long, and is not evaluated.',
    'Write it without nested repetitions.',
  ),
  'dropped-field': code(
    'The API server drops a field, which its schema does not have.',
    'Correct the spelling, or remove the field.',
  ),
  'field-not-in-release': code(
    'A field is not in the schema of the release that is shipped.',
    'Correct the spelling, or add the CustomResourceDefinition of your release.',
  ),
  'unknown-field': code('A field is not in the schema.', 'Correct the spelling, or remove the field.'),
  'server-fields': code('A file has fields that only the API server sets, such as a status.', 'Remove these fields.'),
  'unknown-group': code('A reference names a kind with another group than the kind has.', 'Correct the group.'),
  'unknown-kind': code('A kind is not known.', 'Correct its spelling, or declare it with --kinds.'),
  'other-kind': code('An object has another kind than is read there.', 'Correct the kind.'),
  'misspelled-kind': code('A flag names a policy kind that is almost one that exists.', 'Correct the flag.'),
  'invalid-crd': code(
    'A CustomResourceDefinition does not have the required form.',
    'Correct the fields that the message names.',
  ),
  'not-checked': code(
    'A schema or its rule cannot be checked.',
    'Add the CustomResourceDefinition, or test with a dry run.',
  ),
  'not-converted': code(
    'An object has a version that is not the stored one, and is not converted.',
    'Write the object in the stored version.',
  ),
  'unreadable-resource': code(
    'An object does not have the form that is needed to read it.',
    'Correct the fields that the message names.',
  ),
  'unreadable-field': code('A field does not have the form that is needed to read it.', 'Correct the field.'),
} as const;

/** The findings about the input. */
const ofInput = {
  'yaml-syntax': code('A file is not YAML.', 'Correct the line that the message names.'),
  'duplicate-key': code('A map has the same key twice.', 'Remove one of the two.'),
  'duplicate-resource': code('An object is declared twice with different content.', 'Remove one of the two.'),
  'no-kubernetes-object': code(
    'A document is not a Kubernetes object.',
    'Add apiVersion, kind and name, or exclude the file.',
  ),
  'unreadable-file': code('A file cannot be read.', 'Correct its permissions, or exclude it.'),
  'too-large': code('A file or value is larger than is read.', 'Divide the file.'),
  'too-deep': code('A value is nested deeper than is read.', 'Make the value flatter.'),
  'unsafe-key': code('A map has a key that is not safe to read.', 'Rename the key.'),
  'no-json': code('A value cannot be written as JSON.', 'Replace the value.'),
  'no-manifest': code(
    'Files of a folder do not contain Kubernetes objects, and are skipped.',
    'Nothing, unless a file should have been read.',
  ),
  'link-left-out': code('A link below a folder is not followed.', 'Name the link to follow it.'),
  'submodule-left-out': code('A submodule of the repository is not read.', 'Check it out, and name its folder.'),
  'files-excluded': code(
    'Files are excluded by a flag or by .gwpolicyignore.',
    'Nothing, unless a file should have been read.',
  ),
  'not-rendered': code('Files are not rendered, and a renderer changes their objects.', 'Render them first.'),
  'not-considered': code(
    'Objects route requests and are not considered, because their kind is not known.',
    'Ask for the kind, or treat answers about their hostnames with care.',
  ),
  'invalid-dialect': code(
    'A profile for the merging of a kind does not exist.',
    'Choose one of the profiles that "gwpolicy kinds --help" lists.',
  ),
  'invalid-acceptance': code(
    'An entry of a FindingAcceptance, or an annotation that accepts or requires something, lacks a reason or has a wrong name.',
    'Correct the name, and add the reason.',
  ),
  'unused-acceptance': code('An entry of a FindingAcceptance accepts no finding.', 'Remove the entry.'),
  'more-findings': code('There are more findings than are listed.', 'Correct the first ones.'),
} as const;

/** The groups of findings, as the documentation has them. */
export const findingGroups: Readonly<Record<string, Readonly<Record<string, FindingCode>>>> = {
  'Policies and their targets': ofPolicies,
  'Gateways, routes and other objects': ofObjects,
  'The input': ofInput,
};

/** All codes of findings that are documented. */
export const findingCodes: ReadonlyMap<string, FindingCode> = new Map(
  Object.values(findingGroups).flatMap((group) => Object.entries(group)),
);

/**
 * Returns the address of the page about a code; `undefined` for a code without a page.
 *
 * @param repository The address of the repository with the documentation; `undefined` before the first release.
 */
export function pageOfCode(code: string, repository: string | undefined): string | undefined {
  if (repository === undefined || !findingCodes.has(code)) return undefined;
  return `${repository.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/HEAD/docs/findings.md#${code}`;
}
