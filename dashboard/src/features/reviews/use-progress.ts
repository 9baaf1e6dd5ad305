import { useEffect, useEffectEvent, useState } from 'react';
import type { RunProgress } from '../../../../src/capabilities/reviews/runs/watching/run-progress.ts';
import { apiUrl } from '../../lib/api.ts';
import type { View } from '../../lib/session.ts';
import { isUnfinished, pollIntervalMs, type RunSummary } from './wire.ts';

/** If there are more reviews than this, they are polled instead. */
const maxWatched = 100;

/**
 * Follows reviews until they have ended: calls `refresh` when one has changed, and returns the stage of each. The server pushes
 * changes; if it cannot, this polls. A hidden page does neither.
 */
export function useProgress(
  { kind, id }: View,
  runs: readonly RunSummary[],
  refresh: () => unknown,
): Readonly<Record<string, RunProgress['stage']>> {
  const watched = runs
    .filter(isUnfinished)
    .map((run) => run.id)
    .join(',');
  const isVisible = useVisibility();
  const isActive = watched !== '' && isVisible;
  const [isLive, setLive] = useState(false);
  const [stages, setStages] = useState<Readonly<Record<string, RunProgress['stage']>>>({});
  const ask = useEffectEvent(() => void refresh());
  const pauseMs = useEffectEvent(() => pollIntervalMs(runs));
  const change = useEffectEvent((progress: RunProgress) => {
    setStages((known) => ({ ...known, [progress.id]: progress.stage }));
    if (runs.find((run) => run.id === progress.id)?.status !== progress.status) refresh();
  });
  useEffect(() => {
    if (!isActive || watched.split(',').length > maxWatched) return;
    const source = new EventSource(apiUrl('review-progress', { kind, id }, { runs: watched }));
    source.addEventListener('open', () => setLive(true));
    // An `EventSource` reconnects by itself, unless the server has rejected it.
    source.addEventListener('error', () => setLive(false));
    source.addEventListener('progress', ({ data }) => change(JSON.parse(data) as RunProgress));
    source.addEventListener('end', () => source.close());
    return () => {
      source.close();
      setLive(false);
    };
  }, [watched, isActive, kind, id]);
  useEffect(() => {
    if (!isActive || isLive) return;
    const again = () => {
      ask();
      timer = setTimeout(again, pauseMs());
    };
    let timer = setTimeout(again, pauseMs());
    return () => clearTimeout(timer);
  }, [isActive, isLive]);
  return stages;
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}
