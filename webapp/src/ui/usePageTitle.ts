import { useEffect } from "react";
import { clinic } from "../content/clinic";

/** Names a page of the staff in the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${clinic.name}`;
  }, [title]);
}
