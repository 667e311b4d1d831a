/** What a contract suite is made of: named cases that any test framework can run. */

/** One case of a contract. */
export interface ContractCase {
  /** What is promised, unique in its suite. */
  name: string;
  /** Makes a fresh subject, checks the promise and takes the subject down; rejects when the promise is broken. */
  run(): Promise<void>;
}

/** A case that a subject cannot fulfil. */
export interface ContractSkip {
  /** The name of the case. */
  name: string;
  /** Why it cannot be. */
  reason: string;
}

/** A case as it is written: a promise about a subject. */
export interface CaseDefinition<TSubject, TAbility extends string> {
  name: string;
  /** The ability it is about; left out when every subject must fulfil it. */
  needs?: TAbility;
  check(subject: TSubject): Promise<void>;
}

/** How a suite meets its subjects. */
export interface SuiteOptions<TSubject, TAbility extends string> {
  /** Makes a fresh subject. */
  open(): Promise<TSubject>;
  /** Takes it down. */
  close(subject: TSubject): Promise<void>;
  skip: readonly ContractSkip[];
  can: Readonly<Partial<Record<TAbility, boolean>>>;
}

/**
 * Makes the cases of a suite.
 *
 * @throws Error when a skip names no case of the suite, or gives no reason: both would hide something.
 */
export function makeCases<TSubject, TAbility extends string>(
  definitions: readonly CaseDefinition<TSubject, TAbility>[],
  { open, close, skip, can }: SuiteOptions<TSubject, TAbility>,
): ContractCase[] {
  const names = new Set(definitions.map(({ name }) => name));
  if (names.size < definitions.length) throw new Error("Two cases of the contract have the same name.");
  for (const { name, reason } of skip) {
    if (!names.has(name))
      throw new Error(`There is no case ${JSON.stringify(name)} to skip. Use the name of a case as it is listed.`);
    if (reason.trim() === "")
      throw new Error(`The skip of ${JSON.stringify(name)} gives no reason. Say why it cannot be fulfilled.`);
  }
  const skipped = new Set(skip.map(({ name }) => name));
  return definitions
    .filter(({ name, needs }) => !skipped.has(name) && (needs === undefined || can[needs] === true))
    .map(({ name, check }) => ({
      name,
      run: async () => {
        const subject = await open();
        try {
          await check(subject);
        } finally {
          await close(subject);
        }
      },
    }));
}
