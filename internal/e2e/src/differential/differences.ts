/** Where the fake API server differs from the real one, by step of the script, and why it may. */
export const differences: Readonly<Record<string, string>> = {
  'a collection is replaced': 'built-in kinds refuse the method (405), as the fake does; custom ones miss a name (400)',
  'an event is created': 'the real server adds the deprecated fields of older events',
  'an event gets a series': 'the real server adds the deprecated fields of older events',
  'the versions of the core group':
    'the real server says at which address which clients find it, which they do not ask for',
  'an object is posted to':
    'built-in kinds refuse the method (405), as the fake does; custom ones take it for a create (409)',
};
