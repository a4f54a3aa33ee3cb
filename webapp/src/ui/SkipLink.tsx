import { interfaceTexts } from "../content/interface";

/** Leads past what stands on every page, to the main landmark with the id "contenido". */
export function SkipLink() {
  return (
    <a
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-white px-4 py-2 font-semibold text-teal-700 shadow-float focus-visible:translate-y-0"
      href="#contenido"
    >
      {interfaceTexts.skipToContent}
    </a>
  );
}
