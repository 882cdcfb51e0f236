/**
 * What is made by place, such as names and JSON Pointers: for the first few places, and as a rule there are no others, each is made once
 * and not for every resource.
 */
export function firstFew<Made>(make: (place: number) => Made): (place: number) => Made {
  const made: Made[] = [];
  return (place) => {
    if (place >= few) return make(place);
    made[place] ??= make(place);
    return made[place] as Made;
  };
}

/** So many rules, and so many backends of one, Gateway API allows. */
const few = 16;
