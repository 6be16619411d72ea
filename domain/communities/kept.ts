import type { FieldTable } from '../kernel/model/field.ts'
import { humanize } from '../kernel/model/parse.ts'
import { isBlankText } from '../kernel/values/comparable.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import type { WriteInput } from '../resources/operation.ts'

/** Options of a change in which `null` leaves a text as it is that a record needs. @param input the field as the change takes it */
export const kept = (name: string, input: FieldTable[string]) => ({
  input: { [name]: input },
  wanted({ fields }: WriteInput): JsonObject | Refusal {
    const { [name]: sent, ...others } = fields
    if (sent === null || sent === undefined) return others
    return isBlankText(String(sent)) ? refuse.invalid(`${humanize(name)} can't be blank`, name, 'blank') : fields
  },
})
