/** Code, in which nothing is a link, or a link or image: its mark, its text, and where it leads. */
const codeOrLink = /^(?:```|~~~)[\s\S]*?^(?:```|~~~)|`[^`\n]*`|(!?)\[((?:`[^`\n]*`|[^\]`])*)\]\(([^)\s]+)\)/gm;

/**
 * Makes links absolute that lead to files of the repository. npm shows a README on a separate page, where they would lead nowhere.
 *
 * @param markdown A document.
 * @param url The address of the repository as in `package.json`: `git+https://example.com/owner/name.git`.
 * @param folder The folder of the document in the repository.
 * @returns The document. Links lead to the latest commit, in the form of GitHub. Links to other hosts and within the document stay.
 */
export function withAbsoluteLinks(markdown: string, url: string, folder: string): string {
  const repository = url.replace(/^git\+/, '').replace(/\.git$/, '');
  return markdown.replaceAll(codeOrLink, (whole: string, mark?: string, text?: string, target?: string) => {
    if (target === undefined || /^(?:#|[a-z][a-z+.-]*:)/i.test(target)) return whole;
    const base = `${repository}/${mark === '!' ? 'raw' : 'blob'}/HEAD/${folder}/`;
    return `${mark}[${text}](${new URL(target, base).href})`;
  });
}
