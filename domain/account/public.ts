export { CLOCK_ADVANCES, type Clock, clockOf, shownClock, timeBy } from './clock.ts'
export { workspaces } from './workspace.ts'
