/** Exit statuses of `run`, `send --wait` and `wait`; every other command uses the same numbers. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  environment: 3,
  waiting: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
