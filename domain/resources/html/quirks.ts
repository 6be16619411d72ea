/** Beginnings of documents that browsers read by the standards: HTML 5, XHTML 1 and HTML 4.01 with an address. */
const STANDARD =
  /^\s*<!doctype\s+html(?:\s+public\s+["']-\/\/w3c\/\/dtd (?:xhtml 1\.[01]|html 4\.01)[^"'>]*["']\s+["'][^"'>]+["'])?\s*>/i

const DOCUMENT = /<(?:html|body)[\s/>]/i

/** Whether browsers read HTML as pages of the nineties: a document that says too little of its type. Parts of documents get one that says it. */
export const isQuirky = (html: string): boolean => DOCUMENT.test(html) && !STANDARD.test(html)
