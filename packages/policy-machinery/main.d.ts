// There is no main entry: importing it throws an error that lists the entries.
export {};
