export { nextTurn } from '../domain/kernel/values/turns.ts'
