import { dashboardTexts } from "../../content/dashboard";

/** Says that a demo's patients are invented. */
export function DemoNotice() {
  return (
    <p className="rounded-xl border border-warn-400 bg-white px-4 py-2.5 font-medium text-[0.9375rem] text-warn-800">
      {dashboardTexts.demo}
    </p>
  );
}
