import { inside } from '../kinds/view.ts'
import { contactResource } from './contact/index.ts'

/** A contact as its own endpoint shows it, for records that carry it whole. */
export const contactWhole = inside(contactResource)
