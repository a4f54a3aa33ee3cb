/** The classes of the chart's height. */
export const chartHeight = "h-64 sm:h-72";
