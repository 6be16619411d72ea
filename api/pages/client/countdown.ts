/**
 * Script of pages with a countdown. It reads the time of the server from the `Date` of an answer and goes on by the monotonic clock of the browser: the
 * visitor's own clock takes no part. A countdown that begins with the first visit is kept in the storage of the page's host.
 */
export const COUNTDOWN_SOURCE = `(() => {
  const elements = [...document.querySelectorAll('[data-mr-until],[data-mr-seconds]')]
  const UNITS = [['days', 86400], ['hours', 3600], ['minutes', 60], ['seconds', 1]]
  const stored = (key, make) => {
    try {
      const known = Number(localStorage.getItem(key))
      if (known) return known
      const made = make()
      localStorage.setItem(key, String(made))
      return made
    } catch {
      return make()
    }
  }
  const run = (offset) => {
    const now = () => offset + performance.now()
    const ends = elements.map((element, index) => {
      const { mrUntil, mrSeconds } = element.dataset
      if (mrUntil) return Date.parse(mrUntil)
      return stored('mr-countdown ' + location.pathname + ' ' + index, () => now() + mrSeconds * 1000)
    })
    const parts = elements.map((element) => {
      element.textContent = ''
      return UNITS.map(([unit]) => {
        const part = element.appendChild(document.createElement('span'))
        const number = part.appendChild(document.createElement('b'))
        part.appendChild(document.createElement('i')).textContent = unit
        return number
      })
    })
    const paint = () => {
      ends.forEach((end, index) => {
        let left = Math.max(0, Math.ceil((end - now()) / 1000))
        UNITS.forEach(([, seconds], unit) => {
          parts[index][unit].textContent = String(Math.floor(left / seconds)).padStart(2, '0')
          left %= seconds
        })
      })
    }
    paint()
    setInterval(paint, 1000)
  }
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store', credentials: 'omit' })
    .then((answer) => {
      const date = Date.parse(answer.headers.get('Date'))
      if (date) run(date + 500 - performance.now())
    })
    .catch(() => undefined)
})()
`
