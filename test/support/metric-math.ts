import { Json } from "./synth";

/** Data points by the minute that they are of; a minute that is not in it has none. */
export type Series = ReadonlyMap<number, number>;

/** What an expression may come to: a number, or one for each minute. */
type Value = number | Series;

/** Where the data points of a `metric` block come from. */
export type MetricSource = (query: Json) => Series;

/** Minutes that are looked at, both included. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one series that a list of `metric_query` blocks returns, by the rules of the CloudWatch User Guide (Using math
 * expressions with CloudWatch metrics).
 *
 * What it says of missing data points is not what one expects: in arithmetic, comparisons and logic they count as 0 as long as the
 * other operand has one, so that only a minute without any is left out.
 */
export function evaluateQueries(queries: Json[], source: MetricSource, range: MinuteRange): Series {
  const returned = queries.filter(({ return_data }) => return_data === true);
  if (returned.length !== 1) {
    throw new Error(`expected one metric query that returns data, got: ${returned.map(({ id }) => id).join(", ")}`);
  }
  const known = new Map<string, Value>();
  const underway = new Set<string>();
  const valueOf = (id: string): Value => {
    const query = queries.find((each) => each.id === id);
    if (query === undefined || underway.has(id)) {
      throw new Error(`${query === undefined ? "no metric query" : "a circle of metric queries"} has the id ${id}`);
    }
    if (!known.has(id)) {
      underway.add(id);
      known.set(
        id,
        query.expression === undefined
          ? within(source(query), range)
          : new Evaluation(query.expression, valueOf, range).result(),
      );
      underway.delete(id);
    }
    return known.get(id)!;
  };
  return seriesOf(valueOf(returned[0]!.id), `the expression of ${returned[0]!.id}`);
}

function within(series: Series, { from, to }: MinuteRange): Series {
  const points = new Map<number, number>();
  for (let minute = from; minute <= to; minute++) {
    const value = series.get(minute);
    if (value !== undefined) {
      points.set(minute, value);
    }
  }
  return points;
}

function seriesOf(value: Value, what: string): Series {
  if (typeof value === "number") {
    throw new Error(`${what} must be a time series, got: the number ${value}`);
  }
  return value;
}

type Operation = (left: number, right: number) => number;

const truth = (value: boolean): number => (value ? 1 : 0);

/** From the loosest to the tightest. */
const OPERATORS: { readonly [symbol: string]: Operation }[] = [
  { OR: (left, right) => truth(left !== 0 || right !== 0), "||": (left, right) => truth(left !== 0 || right !== 0) },
  { AND: (left, right) => truth(left !== 0 && right !== 0), "&&": (left, right) => truth(left !== 0 && right !== 0) },
  {
    "==": (left, right) => truth(left === right),
    "!=": (left, right) => truth(left !== right),
    "<=": (left, right) => truth(left <= right),
    ">=": (left, right) => truth(left >= right),
    "<": (left, right) => truth(left < right),
    ">": (left, right) => truth(left > right),
  },
  { "+": (left, right) => left + right, "-": (left, right) => left - right },
  { "*": (left, right) => left * right, "/": (left, right) => left / right },
];

const TOKENS = /\s*([0-9]+(?:\.[0-9]+)?|[A-Za-z][A-Za-z0-9_]*|[=!<>]=|&&|\|\||[-+*/<>(),])/y;

/** One expression, read from left to right and worked out on the way. */
class Evaluation {
  private readonly tokens: string[];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly valueOf: (id: string) => Value,
    private readonly range: MinuteRange,
  ) {
    this.tokens = tokensOf(text);
  }

  result(): Value {
    const value = this.operation(0);
    if (this.at < this.tokens.length) {
      throw this.unexpected(this.tokens[this.at]);
    }
    return value;
  }

  private operation(level: number): Value {
    if (level === OPERATORS.length) {
      return this.operand();
    }
    let left = this.operation(level + 1);
    for (;;) {
      const operator = this.tokens[this.at];
      if (operator === undefined || !Object.hasOwn(OPERATORS[level]!, operator)) {
        return left;
      }
      this.at += 1;
      left = combine(OPERATORS[level]![operator]!, left, this.operation(level + 1));
    }
  }

  private operand(): Value {
    const token = this.take();
    if (token === "(") {
      const value = this.operation(0);
      this.take(")");
      return value;
    }
    if (token === "-") {
      return combine((left, right) => left - right, 0, this.operand());
    }
    if (/^[0-9]/.test(token)) {
      return Number(token);
    }
    if (/^[a-z]/.test(token)) {
      return this.valueOf(token);
    }
    if (this.tokens[this.at] === "(") {
      return this.call(token);
    }
    throw this.unexpected(token);
  }

  private call(name: string): Value {
    this.take("(");
    if (name === "FILL") {
      return this.fill();
    }
    const values = [this.operation(0)];
    while (this.tokens[this.at] === ",") {
      this.take(",");
      values.push(this.operation(0));
    }
    this.take(")");
    if ((name === "CEIL" || name === "FLOOR") && values.length === 1) {
      const series = seriesOf(values[0]!, `the argument of ${name}`);
      const round = name === "CEIL" ? Math.ceil : Math.floor;
      return new Map([...series].map(([minute, value]) => [minute, round(value)]));
    }
    if (name === "IF" && (values.length === 2 || values.length === 3)) {
      return this.choose(values[0]!, values[1]!, values[2]);
    }
    throw new Error(`no function ${name} of ${values.length} arguments is known, got: ${this.text}`);
  }

  /** A condition without a data point drops the minute; a missing first choice counts as 0, a missing second one drops it. */
  private choose(condition: Value, whenTrue: Value, whenFalse: Value | undefined): Series {
    const chosen = new Map<number, number>();
    for (let minute = this.range.from; minute <= this.range.to; minute++) {
      const decision = pointOf(condition, minute);
      const value =
        decision === undefined || decision === 0
          ? decision === 0 && whenFalse !== undefined
            ? pointOf(whenFalse, minute)
            : undefined
          : (pointOf(whenTrue, minute) ?? 0);
      if (value !== undefined) {
        chosen.set(minute, value);
      }
    }
    return chosen;
  }

  private fill(): Series {
    const series = seriesOf(this.operation(0), "the first argument of FILL");
    this.take(",");
    const filler = this.tokens[this.at] === "REPEAT" ? this.take() : this.operation(0);
    this.take(")");
    if (typeof filler === "object") {
      throw new Error(`FILL takes a number or REPEAT, got: ${this.text}`);
    }
    const filled = new Map<number, number>();
    let last = typeof filler === "number" ? filler : undefined;
    for (let minute = this.range.from; minute <= this.range.to; minute++) {
      const point = series.get(minute);
      if (filler === "REPEAT") {
        last = point ?? last;
      }
      const value = point ?? last;
      if (value !== undefined) {
        filled.set(minute, value);
      }
    }
    return filled;
  }

  private take(expected?: string): string {
    const token = this.tokens[this.at];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw this.unexpected(token);
    }
    this.at += 1;
    return token;
  }

  private unexpected(token: string | undefined): Error {
    return new Error(`cannot read ${token ?? "the end"} in the expression, got: ${this.text}`);
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.trimEnd().length) {
    const start = TOKENS.lastIndex;
    const found = TOKENS.exec(text);
    if (!found) {
      throw new Error(`cannot read ${text.slice(start).trim()} in the expression, got: ${text}`);
    }
    tokens.push(found[1]!);
  }
  return tokens;
}

function pointOf(value: Value, minute: number): number | undefined {
  return typeof value === "number" ? value : value.get(minute);
}

/** What does not come to a number, such as a division by zero, is no data point. */
function combine(operation: Operation, left: Value, right: Value): Value {
  if (typeof left === "number" && typeof right === "number") {
    return operation(left, right);
  }
  const minutes = new Set([left, right].flatMap((side) => (typeof side === "number" ? [] : [...side.keys()])));
  return new Map(
    [...minutes]
      .map((minute): [number, number] => [minute, operation(pointOf(left, minute) ?? 0, pointOf(right, minute) ?? 0)])
      .filter(([, value]) => Number.isFinite(value)),
  );
}
