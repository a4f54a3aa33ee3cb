import { type KeyboardEvent, useRef, useState } from "react";
import type { Schemas } from "../../api/client";
import { weekdays } from "../../content/calendar";
import { analyticsTexts } from "../../content/dashboardCharts";
import { formatHour } from "../../content/dates";
import { useMedia } from "../../ui/useMedia";
import { HeatCell } from "./HeatCell";
import { busiestOf, type Cell, weekOf } from "./heatmap";

const texts = analyticsTexts.heatmap;

interface GridProps {
  readonly cells: Schemas["Heatmap"]["cells"];
  readonly onOpen: (cell: Cell) => void;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** One row a day where there is room, else one row an hour. */
export function HeatGrid({ cells, onOpen }: GridProps) {
  const dayRows = useMedia("(min-width: 64rem)");
  const week = weekOf(cells);
  const busiest = busiestOf(cells);
  const [current, setCurrent] = useState({ weekday: 1, hour: 9 });
  const table = useRef<HTMLTableElement>(null);
  const rows = dayRows
    ? week
    : hours.map((hour) => week.map((day) => day[hour]).filter((cell) => cell !== undefined));

  const move = (event: KeyboardEvent) => {
    const [along, across] = dayRows
      ? (["hour", "weekday"] as const)
      : (["weekday", "hour"] as const);
    const step = {
      ArrowRight: { [along]: 1 },
      ArrowLeft: { [along]: -1 },
      ArrowDown: { [across]: 1 },
      ArrowUp: { [across]: -1 },
    }[event.key] as { hour?: number; weekday?: number } | undefined;
    if (!step) return;
    event.preventDefault();
    const weekday = Math.min(7, Math.max(1, current.weekday + (step.weekday ?? 0)));
    const hour = Math.min(23, Math.max(0, current.hour + (step.hour ?? 0)));
    setCurrent({ weekday, hour });
    table.current?.querySelector<HTMLElement>(`[data-cell="${weekday}-${hour}"]`)?.focus();
  };

  return (
    <table
      aria-label={texts.title}
      className="mt-3 w-full table-fixed border-separate border-spacing-0 text-[0.8125rem] tabular-nums"
      onKeyDown={move}
      ref={table}
    >
      <thead>
        <tr>
          <td className="w-12 sm:w-14 lg:w-16" />
          {dayRows
            ? hours.map((hour) => (
                <th className="pb-1 font-medium text-ink-500" key={hour} scope="col">
                  {hour}
                </th>
              ))
            : weekdays.map((name) => (
                <th
                  className="pb-1 font-medium text-ink-500 max-sm:text-[0.6875rem]"
                  key={name}
                  scope="col"
                >
                  <abbr className="no-underline" title={name}>
                    {name.slice(0, 3)}
                  </abbr>
                </th>
              ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={dayRows ? weekdays[index] : formatHour(index)}>
            <th className="pr-2 text-left font-medium text-ink-500" scope="row">
              {dayRows ? weekdays[index]?.slice(0, 3) : formatHour(index)}
            </th>
            {row.map((cell) => (
              <HeatCell
                busiest={busiest}
                cell={cell}
                dayRows={dayRows}
                key={`${cell.weekday}-${cell.hour}`}
                onFocus={() => setCurrent(cell)}
                onOpen={() => onOpen(cell)}
                reachable={cell.weekday === current.weekday && cell.hour === current.hour}
                week={week}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
