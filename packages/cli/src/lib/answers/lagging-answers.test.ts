import { parseManifests } from '@policy-machinery/resource/manifests';
import { expect, it } from 'vitest';
import { bad, good } from '../covering/shop.fixture.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld } from '../input/world.ts';
import { LaggingAnswers } from './lagging-answers.ts';

const worldOf = (manifests: string) => {
  const { resources: objects } = parseManifests(manifests);
  return createWorld({ objects, found: findKinds(objects, noOwnKinds, {}), scope: { namespace: undefined } });
};

it('follows a change at once after a pause, and otherwise after nine times its duration', () => {
  let time = 0;
  const answers = new LaggingAnswers(() => {
    time += 10;
    return time;
  });
  const found = (manifests: string, at: number) => {
    time = at;
    return [answers.of(worldOf(manifests)).findings.length, answers.isBehind];
  };
  expect(found(good, 0)).toEqual([0, false]); // It ends at 20, and took 10.
  expect(found(bad, 50)).toEqual([0, true]);
  expect(found(bad, 100)).toEqual([1, false]);
  expect(found(good, 5_000)).toEqual([0, false]);
});
