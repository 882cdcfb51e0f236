/**
 * Returns a function that memoizes values by index, such as names and JSON Pointers, for the first few indexes: usually these are
 * all, so each value is created once and not for every resource.
 */
export function firstFew<Made>(make: (place: number) => Made): (place: number) => Made {
  const made: Made[] = [];
  return (place) => {
    if (place >= few) return make(place);
    made[place] ??= make(place);
    return made[place] as Made;
  };
}

/** The limit of Gateway API for rules, and for the backends of a rule. */
const few = 16;
