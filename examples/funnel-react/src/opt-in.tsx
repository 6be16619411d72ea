import { useState } from 'react'
import { Email } from './email.tsx'

export const OptIn = () => {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  return (
    <form>
      <p>{name ? `${name}, get` : 'Get'} our letter about coffee.</p>
      <label>
        First name
        <input
          data-cf-element="first-name"
          autoComplete="given-name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <Email value={email} onType={setEmail} />
      <label>
        How do you brew?
        <select data-cf-element="custom-attribute:brews_with">
          <option value="filter">Filter</option>
          <option value="espresso">Espresso</option>
        </select>
      </label>
      <button type="submit">Sign up</button>
    </form>
  )
}
