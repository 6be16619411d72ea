/** A checkout form as an author writes it. */
export const CHECKOUT = `
<form>
  <label>E-mail <input type="email" data-cf-element="email" autocomplete="email" required></label>
  <label>First name <input data-cf-element="first-name" autocomplete="given-name"></label>
  <label>Last name <input data-cf-element="last-name" autocomplete="family-name"></label>
  <div data-cf-element="shipping"></div>
  <label><input type="checkbox" data-cf-element="billing-same-as-shipping" checked> Bill to the same address</label>
  <div data-cf-element="billing"></div>
  <div data-cf-element="payment-method"></div>
  <button data-cf-element="pay">Pay</button>
</form>`

export const OFFER = `
<p>One more mug?</p>
<div data-cf-element="shipping"></div>
<button data-cf-element="oto-accept" value="v_mug|p_mug">Yes</button>
<button data-cf-element="oto-decline">No</button>`
