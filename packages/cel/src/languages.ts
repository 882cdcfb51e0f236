export type { Acceptor } from './lib/languages/acceptor.ts';
export type { FindLimit, FoundText, TextQuestion } from './lib/languages/find-text.ts';
export {
  type LanguageOptions,
  type Reading,
  type RegularLanguages,
  re2Languages,
} from './lib/languages/re2-languages.ts';
