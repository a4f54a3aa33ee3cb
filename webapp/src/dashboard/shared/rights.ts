import { createContext, useContext } from "react";
import type { Schemas } from "../../api/client";

type Right = Schemas["Right"];

/**
 * What whoever is signed in may use. The server refuses them everything else, so nothing of it is asked for,
 * and nothing leads there.
 */
export const RightsContext = createContext<readonly Right[]>([]);

export function useMay(right: Right): boolean {
  return useContext(RightsContext).includes(right);
}
