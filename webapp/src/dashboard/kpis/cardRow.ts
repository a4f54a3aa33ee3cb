/** The classes of a row of cards. */
export const cardRow = "grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4";
