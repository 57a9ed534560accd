import { SimulatedAws } from "./rig";
import { Simulator } from "./simulator";

/** Operations that create or delete one thing, although their names do not say so. */
const UNUSUAL: Record<string, string> = {
  AllocateAddress: "CreateAddress",
  ReleaseAddress: "DeleteAddress",
  DeleteVpcEndpoints: "DeleteVpcEndpoint",
  ScheduleKeyDeletion: "DeleteKey",
};

/** A simulated AWS account. */
export class Account {
  static async open({ terraform, simulator: program }: SimulatedAws): Promise<Account> {
    const simulator = await Simulator.start(program);
    const account = new Account(simulator, simulator.environment(terraform));
    await account.settle();
    return account;
  }

  /** How many of the calls were made by what came before. */
  private callsBefore = 0;

  private constructor(
    readonly simulator: Simulator,
    /** What programs need to use it. */
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** From now on, what is there belongs to the account and is not left over. */
  async settle(): Promise<void> {
    this.callsBefore = (await this.simulator.calls()).length;
  }

  /**
   * What was created since the account was settled and has not been deleted, by service and kind.
   * Tags, versions and what is put or attached go with their owners and do not count.
   */
  async leftovers(): Promise<Record<string, number>> {
    const balance: Record<string, number> = {};
    for (const { service, operation } of (await this.simulator.calls()).slice(this.callsBefore)) {
      const [, verb, kind] = /^(Create|Delete)(?!.*(?:Tags|Version)$)(.+)$/.exec(UNUSUAL[operation] ?? operation) ?? [];
      if (kind !== undefined) {
        balance[`${service} ${kind}`] = (balance[`${service} ${kind}`] ?? 0) + (verb === "Create" ? 1 : -1);
      }
    }
    return Object.fromEntries(Object.entries(balance).filter(([, count]) => count > 0));
  }

  stop(): void {
    this.simulator.stop();
  }
}
