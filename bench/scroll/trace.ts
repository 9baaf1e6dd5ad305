/** The used fields of an event in a trace of Chromium. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The processor time of the thread, which does not include the load of other processes. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The categories of events to trace. */
export const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** The kinds of work on a page's main thread, by Chromium's names of events. */
const names = {
  script: [
    'FunctionCall',
    'EvaluateScript',
    'EventDispatch',
    'FireAnimationFrame',
    'TimerFire',
    'RunMicrotasks',
  ],
  style: ['UpdateLayoutTree'],
  layout: ['Layout', 'HitTest'],
  paint: ['PrePaint', 'Paint', 'Layerize', 'Commit'],
} as const;
export type Part = keyof typeof names | 'other';
const partOf = new Map<string, Part>(
  Object.entries(names).flatMap(([part, all]) => all.map((name) => [name, part as Part] as const)),
);

/** The work of a page's main thread for a frame, in milliseconds of processor time. */
export interface Frame {
  busy: number;
  readonly parts: Record<Part, number>;
}

/** Reads the frames of the page's main thread; of several pages, that of the busiest one. */
export function readFrames(trace: string): Frame[] {
  const events = mainThreadOf((JSON.parse(trace) as { traceEvents: TraceEvent[] }).traceEvents);
  const starts = events.filter(({ name, ph }) => name === 'AnimationFrame' && ph === 'b').map(({ ts }) => ts);
  const frames = starts.map(
    (): Frame => ({ busy: 0, parts: { script: 0, style: 0, layout: 0, paint: 0, other: 0 } }),
  );
  let current = -1;
  /** The events that enclose the current one, outermost first. */
  const open: { readonly end: number; readonly part: Part }[] = [];
  for (const { name, ts, dur = 0, tdur } of events) {
    while (starts[current + 1] !== undefined && starts[current + 1]! <= ts) current += 1;
    const frame = frames[current];
    if (frame === undefined || tdur === undefined) continue;
    while (open.length > 0 && open.at(-1)!.end <= ts) open.pop();
    const outer = open.at(-1);
    if (outer === undefined && name !== 'RunTask') continue;
    const part = partOf.get(name) ?? outer?.part ?? 'other';
    // The duration of an inner event is subtracted from the outer one.
    if (outer === undefined) frame.busy += tdur / 1000;
    else frame.parts[outer.part] -= tdur / 1000;
    frame.parts[part] += tdur / 1000;
    open.push({ end: ts + dur, part });
  }
  return frames;
}

function mainThreadOf(events: readonly TraceEvent[]): TraceEvent[] {
  const ids = new Set(
    events.flatMap(({ name, pid, tid, args }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  const work = (id: string) => threads.get(id)!.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  const [busiest] = [...ids].toSorted((a, b) => work(b) - work(a));
  return threads.get(busiest!)!.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
}
