import { useEffect } from "react";

/** Names the page in the browser's tab and describes it to search engines. */
export function usePage(title: string, description?: string): void {
  useEffect(() => {
    document.title = title;
    let element = document.querySelector<HTMLMetaElement>('meta[name="description"]');
    if (!element) {
      element = document.createElement("meta");
      element.name = "description";
      document.head.append(element);
    }
    element.content = description ?? "";
  }, [title, description]);
}
