import type { ConformanceCase } from '../case.js'
import { batches } from './batches.js'
import { catalogue } from './catalogue.js'
import { changes } from './changes.js'
import { changesConcurrent } from './changes-concurrent.js'
import { changesFollow } from './changes-follow.js'
import { changesRandom } from './changes-random.js'
import { claims } from './claims.js'
import { concurrency } from './concurrency.js'
import { concurrentRandom } from './concurrent-random.js'
import { cursors } from './cursors.js'
import { durability } from './durability.js'
import { keys } from './keys.js'
import { lifecycle } from './lifecycle.js'
import { names } from './names.js'
import { order } from './order.js'
import { queries } from './queries.js'
import { random } from './random.js'
import { randomQueries } from './random-queries.js'
import { readsAtOnce } from './reads-at-once.js'
import { references } from './references.js'
import { revisions } from './revisions.js'
import { search } from './search.js'
import { transactions } from './transactions.js'
import { unique } from './unique.js'
import { values } from './values.js'

export const storageCases: readonly ConformanceCase[] = [
  ...lifecycle,
  ...values,
  ...keys,
  ...readsAtOnce,
  ...revisions,
  ...names,
  ...unique,
  ...references,
  ...transactions,
  ...batches,
  ...claims,
  ...queries,
  ...randomQueries,
  ...order,
  ...cursors,
  ...search,
  ...catalogue,
  ...concurrency,
  ...random,
  ...concurrentRandom,
  ...changes,
  ...changesFollow,
  ...changesConcurrent,
  ...changesRandom,
  ...durability,
]
