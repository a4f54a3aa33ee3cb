import { createContext, useContext } from "react";

/**
 * Whether whoever is signed in may see what people wrote and left: conversations and contacts.
 * The server refuses it to the others, so nothing of it is asked for, and no number leads there.
 */
export const PeopleContext = createContext(true);

export function useSeesPeople(): boolean {
  return useContext(PeopleContext);
}
