import { useState } from "react";
import { classes } from "../ui/classes.ts";
import { type DayChart, scaleTop } from "./series.ts";

const WIDTH = 720;
const HEIGHT = 180;
const fills = ["fill-series-1", "fill-series-2", "fill-series-3", "fill-series-4", "fill-series-5", "fill-series-6"];
const swatches = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5", "bg-series-6"];

type DayBarsProps = { chart: DayChart; format: (value: number) => string; label: string };

/** Stacked bars, one per day. The tables below contain the same figures for screen readers. */
export function DayBars({ chart, format, label }: DayBarsProps) {
  const [day, setDay] = useState<number>();
  const top = scaleTop(chart.highest);
  return (
    <figure>
      <div className="flex gap-2">
        <Scale top={top} format={format} />
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-44 w-0 grow overflow-visible"
          onPointerLeave={() => setDay(undefined)}
        >
          {[0, 0.5, 1].map((at) => (
            <line
              key={at}
              x1="0"
              x2={WIDTH}
              y1={HEIGHT * at}
              y2={HEIGHT * at}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {chart.days.map((name, index) => (
            <g key={name} onPointerEnter={() => setDay(index)}>
              <DayBar chart={chart} index={index} isActive={index === day} />
            </g>
          ))}
        </svg>
      </div>
      <div className="mt-1 flex justify-between pl-14 text-2xs text-faint">
        <span>{dayName(chart.days[0])}</span>
        <span>{day === undefined ? "" : dayName(chart.days[day])}</span>
        <span>{dayName(chart.days.at(-1))}</span>
      </div>
      <Legend chart={chart} day={day} format={format} />
    </figure>
  );
}

type DayBarProps = { chart: DayChart; index: number; isActive: boolean };

function DayBar({ chart, index, isActive }: DayBarProps) {
  const step = WIDTH / chart.days.length;
  return (
    <>
      <rect
        x={index * step}
        y="0"
        width={step}
        height={HEIGHT}
        className={isActive ? "fill-hover" : "fill-transparent"}
      />
      {stack(chart, index, scaleTop(chart.highest)).map(({ series, y, height }) => (
        <rect
          key={series}
          x={index * step + step * 0.14}
          y={y}
          width={step * 0.72}
          height={height}
          className={fills[series]}
        />
      ))}
    </>
  );
}

/** The series with their total, or with the figure of the day under the pointer. */
function Legend({ chart, day, format }: Omit<DayBarsProps, "label"> & { day: number | undefined }) {
  return (
    <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 pl-14 text-xs">
      {chart.series.map(({ name, total, days }, index) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <span className={classes("size-2.5 rounded-sm", swatches[index])} />
          {name}
          <span className="text-faint tabular-nums">{format(day === undefined ? total : (days[day] ?? 0))}</span>
        </span>
      ))}
    </figcaption>
  );
}

function Scale({ top, format }: { top: number; format: (value: number) => string }) {
  return (
    <div aria-hidden="true" className="flex w-12 flex-col justify-between text-right text-2xs text-faint tabular-nums">
      <span className="-mt-1.5">{format(top)}</span>
      <span>{format(top / 2)}</span>
      <span className="-mb-1.5">0</span>
    </div>
  );
}

function stack(chart: DayChart, index: number, top: number): { series: number; y: number; height: number }[] {
  let y = HEIGHT;
  return chart.series.map(({ days }, series) => {
    const height = ((days[index] ?? 0) / top) * HEIGHT;
    y -= height;
    return { series, y, height };
  });
}

function dayName(day: string | undefined): string {
  if (!day) return "";
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}
