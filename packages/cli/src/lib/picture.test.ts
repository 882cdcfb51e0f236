import { describe, expect, it } from 'vitest';
import { cluster, runWith } from './run.fixture.ts';
import { terminalPicture } from './terminal-picture.fixture.ts';

const questions = [
  ['get'],
  ['explain', 'httproute/checkout#pay'],
  ['request', 'https://shop.example.com/pay/status'],
] as const;

describe('the picture in the README', () => {
  it('shows the output of the program on a terminal', async () => {
    const answers: string[] = [];
    for (const question of questions) {
      const { stdout } = await runWith([...question, '-f', cluster], { isTTY: true, columns: 120 });
      answers.push(`\u001b[2m$ gwpolicy ${question.join(' ')} -f cluster\u001b[22m\n${stdout}`);
    }
    await expect(terminalPicture('gwpolicy on a terminal', answers.join('\n'))).toMatchFileSnapshot(
      '../../picture.svg',
    );
  });
});
