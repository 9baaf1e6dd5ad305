import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { distFolder, hashFile, hashSources, isDashboardBuilt } from '../src/dashboard-build.ts';

/** Builds the dashboard in a temporary folder, then renames it into place, so that a half-built one is never served. */
async function build(): Promise<void> {
  const [{ build: bundle }, { default: react }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
  ]);
  const hash = await hashSources();
  const fresh = `${distFolder}-${process.pid}`;
  const previous = `${distFolder}-previous-${process.pid}`;
  await bundle({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir: fresh,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      license: { fileName: 'licenses.md' },
    },
  });
  await writeFile(path.join(fresh, hashFile), hash);
  // Another process built it at the same time: what is served stays in place.
  if (await isDashboardBuilt()) return rm(fresh, { recursive: true, force: true });
  await rename(distFolder, previous).catch(() => {});
  try {
    await rename(fresh, distFolder);
  } catch (error) {
    // Or in this moment; one of them is enough.
    await rm(fresh, { recursive: true, force: true });
    if (!(await isDashboardBuilt())) throw error;
  }
  await rm(previous, { recursive: true, force: true });
}

if (!(await isDashboardBuilt())) await build();
