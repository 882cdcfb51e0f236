import { type Issue, PolicyMachineryError } from '../issue.ts';

/** The maximal number of issues. No one reads more, and a hostile text must not fill the memory with issues. */
export const maxIssues = 1000;

/** Collects issues, to throw them together. Throws at the thousandth. */
export function collectIssues(): { readonly report: (issue: Issue) => void; readonly throwIfAny: () => void } {
  const issues: Issue[] = [];
  const throwAll = (message: string): never => {
    throw new PolicyMachineryError('invalid-manifests', message, issues);
  };
  return {
    report(issue) {
      issues.push(issue);
      if (issues.length >= maxIssues) throwAll(`The manifests cannot be used; these are the first ${maxIssues} issues`);
    },
    throwIfAny() {
      if (issues.length > 0) throwAll('The manifests cannot be used');
    },
  };
}
