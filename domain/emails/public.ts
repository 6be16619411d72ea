export { usableSenders } from './address/usable.ts'
export { checkLiquid } from './liquid/parse.ts'
export { isAddressComplete } from './settings/view.ts'
export { templates } from './template/rules.ts'
