import { useTexts } from "../../api/content";
import { Notice } from "../Notice";
import { PageBanner } from "../PageBanner";

/** A service's page whose record did not come. */
export function ServiceFailure({ onRetry }: { readonly onRetry: () => void }) {
  const { hero, error } = useTexts("services").list;
  return (
    <>
      <PageBanner text={hero.text} title={hero.title} />
      <div className="page py-14 sm:py-20">
        <Notice failed onRetry={onRetry} text={error} />
      </div>
    </>
  );
}
