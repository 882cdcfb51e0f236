import { findingGroups } from '../model/finding-codes.ts';

/** Returns the document about all codes of findings, in Markdown. */
export function findingsDocument(): string {
  const groups = Object.entries(findingGroups).map(([heading, codes]) => {
    const entries = Object.entries(codes).map(
      ([name, { means, repair }]) => `### \`${name}\`\n\n${means}\n\n**Repair:** ${repair}\n`,
    );
    return `## ${heading}\n\n${entries.join('\n')}`;
  });
  return `${introduction}\n${groups.join('\n')}`;
}

const introduction = `# Findings of gwpolicy lint

\`gwpolicy lint\` reports each finding with a code. An error means that something is left out, a warning that something may surprise, and a note
that a policy has no effect, or that an answer is not known.

To accept a finding, annotate the object with the code and a reason, one in each line:

\`\`\`yaml
metadata:
  annotations:
    lint.policy-machinery/ignore: "overridden: the default may lose"
\`\`\`

You can also add an object to the input. Without \`resource\`, it accepts the code everywhere:

\`\`\`yaml
apiVersion: lint.policy-machinery/v1alpha1
kind: FindingAcceptance
metadata: { name: known }
spec:
  accepted:
    - { code: replaced-protection, resource: SecurityPolicy shop/cors, reason: the cart is public }
\`\`\`

\`lint\` counts the accepted findings, and \`diff\` lists each change of an annotation or entry.
`;
