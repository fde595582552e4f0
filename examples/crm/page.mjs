// @ts-check

/** The page of the CRM: a form, a search field and a list that keeps itself up to date. */
export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Customers</title>
<style>
  body { font: 16px/1.5 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  input { font: inherit; padding: .3rem .5rem; width: 100%; box-sizing: border-box }
  form { display: grid; grid-template-columns: 1fr 1fr 1fr auto; gap: .5rem; margin: 1rem 0 }
</style>
<h1>Customers</h1>
<form>
  <input name="name" placeholder="Name" required>
  <input name="company" placeholder="Company" required>
  <input name="email" type="email" placeholder="E-mail">
  <button>Add</button>
</form>
<input type="search" placeholder="Search" aria-label="Search">
<ul></ul>
<script type="module">
  const search = document.querySelector('[type=search]')
  const list = document.querySelector('ul')
  let latest = 0
  async function show() {
    const mine = ++latest
    const customers = await (await fetch('/customers?q=' + encodeURIComponent(search.value))).json()
    if (mine !== latest) return
    list.replaceChildren(...customers.map(({ name, company }) => {
      const item = document.createElement('li')
      item.textContent = name + ', ' + company
      return item
    }))
  }
  search.addEventListener('input', show)
  new EventSource('/changes').addEventListener('message', show)
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const customer = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== ''))
    const answer = await fetch('/customers', { method: 'POST', body: JSON.stringify(customer) })
    if (answer.ok) event.target.reset()
    else alert((await answer.json()).error)
  })
  show()
</script>
`
