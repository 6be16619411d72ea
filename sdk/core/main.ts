import type { CfSdk } from '../index.d.ts'
import { attempt } from './attempt.ts'
import { browserHost } from './host.ts'
import { start } from './start.ts'

// Captured at once: it is null as soon as this script has run. The script may stand in the page more than once.
const script = document.currentScript as HTMLScriptElement | null
if (script) attempt(() => ((window as { CfSdk?: CfSdk }).CfSdk ??= start(browserHost(script.src))))
