import { Fragment } from "react";

interface HoursProps {
  /** Such as 8 a. m. – 12 p. m., 2 p. m. – 6 p. m. */
  readonly children: string;
}

/** Opening hours that break between two spans wherever one fits a line. A no-break space does not hold a dash before it. */
export function Hours({ children }: HoursProps) {
  return children.split(", ").map((span, i) => (
    <Fragment key={span}>
      {i > 0 && ", "}
      <span className="inline-block">{span}</span>
    </Fragment>
  ));
}
