import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { eventsPage } from '../../api/openapi/events-page.ts'
import { resources } from '../../domain/index.ts'
import { eventTypesOf } from '../../domain/webhooks/catalog.ts'

/** Writes docs/events.md from the declarations; run from the root of the package. */
writeFileSync(path.resolve('docs/events.md'), eventsPage(eventTypesOf(resources)))
