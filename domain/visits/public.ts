export { placements } from './placement/index.ts'
export { type Session, session, type Typed, UTM, type View, type ViewOfLoad } from './session/model.ts'
export { isOver, sessions } from './session/rules.ts'
export { contactVisits, orderVisits } from './session/view.ts'
