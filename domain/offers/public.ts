export { cartOfGrant, type Grant, grant, grants } from './grant.ts'
