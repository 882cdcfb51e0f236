import { type Issue, PolicyMachineryError } from '../issue.ts';

/** Where many issues are, nobody reads on, and a hostile text must not fill the memory with them. */
const maxIssues = 1000;

/** Gathers issues, to be thrown together; throws at the thousandth. */
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
