import { createRequire } from 'node:module'
import path from 'node:path'
import Router, { type RouterContext } from '@koa/router'
import send from 'koa-send'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { DOCUMENTATION } from '../http/failures.ts'
import { type Spelled, spelled } from '../http/spelled.ts'
import type { Route } from '../routes.ts'
import { PREFIX } from '../routes.ts'
import { openapiInTurns } from './document.ts'
import { yamlParts } from './yaml.ts'

const REFERENCE = `${PREFIX}/reference`
const ROOTS = ['/', '/api', PREFIX]
const ASSETS = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const YAML_TYPES = ['application/yaml', 'text/yaml', 'application/x-yaml', 'text/x-yaml', 'application/openapi+yaml']

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Millrace API</title>
    <link rel="stylesheet" href="${REFERENCE}/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="${REFERENCE}/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '${PREFIX}.json', dom_id: '#reference', deepLinking: true, filter: true, docExpansion: 'none' })
    </script>
  </body>
</html>
`

type Form = 'json' | 'yaml'

/** Returns the parts of a document in a form. */
const SPELLING: Readonly<Record<Form, (document: JsonObject) => Iterable<string>>> = {
  json: (document) => [JSON.stringify(document)],
  yaml: yamlParts,
}

/** Clients that have a copy must ask whether it is still the same. It changes only with the version. */
const REVALIDATED = 'public, no-cache'

/** Returns a function that gives the document in a form. Each form is made once, for its first request. */
const textsOf = (routes: readonly Route[], resources: readonly Resource[]): ((form: Form) => Promise<Spelled>) => {
  const texts = new Map<Form, Promise<Spelled>>()
  const make = async (form: Form) => spelled(SPELLING[form](await openapiInTurns(routes, resources)))
  return (form) => getOrInsert(texts, form, () => make(form))
}

/** Serves the OpenAPI document as JSON and YAML (spec 1) and a page to browse it. Needs no token. */
export const openapiRouter = (routes: readonly Route[], resources: readonly Resource[]): Router => {
  const router = new Router()
  const textIn = textsOf(routes, resources)
  const answer = async (ctx: RouterContext, form: Form): Promise<void> => {
    const { bytes, digest } = await textIn(form)
    ctx.set({ Link: DOCUMENTATION, ETag: `"${digest}"`, 'Cache-Control': REVALIDATED })
    ctx.type = `application/${form}`
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = bytes
  }
  for (const root of ROOTS) {
    const stem = root === '/' ? '/openapi' : root
    router.get(root, function serveNegotiated(ctx) {
      const accepted = ctx.accepts(['json', ...YAML_TYPES, 'html'])
      ctx.vary('Accept')
      if (accepted === 'html') return ctx.redirect(REFERENCE)
      return answer(ctx, accepted === 'json' || accepted === false ? 'json' : 'yaml')
    })
    router.get(`${stem}.json`, (ctx) => answer(ctx, 'json'))
    router.get(`${stem}.yaml`, (ctx) => answer(ctx, 'yaml'))
  }
  router.get(REFERENCE, function serveReference(ctx) {
    ctx.set('Cache-Control', REVALIDATED)
    ctx.type = 'html'
    ctx.body = page
  })
  for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`${REFERENCE}/${asset}`, (ctx) => send(ctx, asset, { root: ASSETS, maxage: 86_400_000 }))
  }
  return router
}
