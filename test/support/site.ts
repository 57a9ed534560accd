import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerraformStack } from "cdktf";
import { GpuClusterAttributes } from "cdktf-elastic-gpu";
import { writeOverrides } from "./overrides";
import { root, SimulatedAws } from "./rig";
import { Simulator } from "./simulator";
import { synth } from "./synth";
import { TerraformFolder } from "./terraform";

/** A simulated AWS account that has a cluster named "prod", for pools to be deployed into. */
export class Site {
  static async prepare({ terraform, simulator: program }: SimulatedAws): Promise<Site> {
    const simulator = await Simulator.start(program);
    try {
      const env = simulator.environment(terraform);
      const folder = mkdtempSync(join(tmpdir(), "site-"));
      cpSync(join(root, "test/deploy/fixture"), folder, { recursive: true });
      const fixture = new TerraformFolder(folder, env);
      fixture.init();
      fixture.apply();
      return new Site(simulator, env, fixture.outputs().cluster, (await simulator.calls()).length);
    } catch (error) {
      simulator.stop();
      throw error;
    }
  }

  private constructor(
    private readonly simulator: Simulator,
    readonly env: NodeJS.ProcessEnv,
    readonly cluster: GpuClusterAttributes,
    private readonly callsBefore: number,
  ) {}

  /**
   * What was created since the site was prepared and has not been deleted, by service and kind.
   * Tags, versions and what is put or attached go with their owners and do not count.
   */
  async leftovers(): Promise<Record<string, number>> {
    const balance: Record<string, number> = {};
    for (const { service, operation } of (await this.simulator.calls()).slice(this.callsBefore)) {
      const [, verb, kind] = /^(Create|Delete)(?!.*(?:Tags|Version)$)(.+)$/.exec(operation) ?? [];
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
