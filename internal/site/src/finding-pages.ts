import { findingGroups } from '../../../packages/cli/src/lib/model/finding-codes.ts';

/** Returns a page for each code of `gwpolicy lint`, by its name. */
export function findingPages(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(findingGroups).flatMap(([group, codes]) =>
      Object.entries(codes).map(([name, { means, repair }]) => {
        const others = Object.keys(codes).filter((other) => other !== name);
        const text = [
          `---\ntitle: ${name}\n---`,
          `# \`${name}\``,
          means,
          `**Repair:** ${repair}`,
          `To accept the finding, annotate the object with \`lint.policy-machinery/ignore: "${name}: your reason"\`, as [all findings](/docs/findings) can be.`,
          `## ${group}`,
          others.map((other) => `[\`${other}\`](/findings/${other})`).join(' · '),
        ];
        return [name, `${text.join('\n\n')}\n`] as const;
      }),
    ),
  );
}
