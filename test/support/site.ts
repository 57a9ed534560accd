import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerraformStack } from "cdktf";
import { GpuClusterAttributes } from "cdktf-elastic-gpu";
import { Account } from "./account";
import { writeOverrides } from "./overrides";
import { root, SimulatedAws } from "./rig";
import { Simulator } from "./simulator";
import { synth } from "./synth";
import { TerraformFolder } from "./terraform";

/** A simulated AWS account that has a cluster named "prod", for pools to be deployed into. */
export class Site {
  static async prepare(aws: SimulatedAws): Promise<Site> {
    const account = await Account.open(aws);
    try {
      const folder = mkdtempSync(join(tmpdir(), "site-"));
      cpSync(join(root, "test/deploy/fixture"), folder, { recursive: true });
      const fixture = new TerraformFolder(folder, account.env);
      fixture.init();
      fixture.apply();
      await account.settle();
      return new Site(account, fixture.outputs().cluster);
    } catch (error) {
      account.stop();
      throw error;
    }
  }

  private constructor(
    private readonly account: Account,
    readonly cluster: GpuClusterAttributes,
  ) {}

  get env(): NodeJS.ProcessEnv {
    return this.account.env;
  }

  get simulator(): Simulator {
    return this.account.simulator;
  }

  /** What was created since the site was prepared and has not been deleted. */
  leftovers(): Promise<Record<string, number>> {
    return this.account.leftovers();
  }

  stop(): void {
    this.account.stop();
  }
}

/** One stack over its life: what Terraform holds as its state stays while the program changes. */
export class Deployment {
  readonly terraform: TerraformFolder;

  constructor(private readonly site: Site) {
    this.terraform = new TerraformFolder(mkdtempSync(join(tmpdir(), "deployment-")), site.env);
  }

  /** Puts a program in the place of the one before. */
  program(build: (stack: TerraformStack) => void): void {
    cpSync(synth(build).folder, this.terraform.folder, { recursive: true });
    writeOverrides(this.terraform.folder, this.site.env);
    this.terraform.init();
  }
}
