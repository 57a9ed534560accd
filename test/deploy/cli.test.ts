import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describeWhere, findSimulatedAws, root } from "../support/rig";
import { Site } from "../support/site";

describeWhere("the CDKTF CLI", findSimulatedAws(), (aws) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.prepare(aws);
  });
  afterAll(() => site?.stop());

  describe.each(["first-pool", "new-cluster"])("examples/%s", (example) => {
    const outdir = mkdtempSync(join(tmpdir(), "cdktf-"));

    /** What `npx cdktf <command>` prints. */
    function cdktf(...command: string[]): string {
      const app = `npx tsx test/deploy/app-on-simulator.ts examples/${example}/main.ts`;
      // The lock would be made for other platforms too, whose providers only a registry has.
      const options = ["--app", app, "--output", outdir, "--skip-provider-lock"];
      const { status, stdout, stderr } = spawnSync("npx", ["cdktf", ...command, ...options], {
        cwd: root,
        encoding: "utf8",
        env: { ...site.env, CI: "true", SITE_CLUSTER: JSON.stringify(site.cluster) },
        maxBuffer: 2 ** 28,
      });
      if (status !== 0) {
        throw new Error(`cdktf ${command.join(" ")} ended with ${status}:\n${stderr}${stdout}`);
      }
      return stripVTControlCharacters(stdout);
    }

    test("is deployed", async () => {
      expect(cdktf("deploy", "--auto-approve")).toContain("Apply complete!");
      expect(await site.leftovers()).toMatchObject({ "eks Nodegroup": expect.any(Number) });
    });

    test("then has no difference", () => {
      expect(cdktf("diff")).toContain("No changes. Your infrastructure matches the configuration.");
    });

    test("is destroyed, and nothing is left", async () => {
      expect(cdktf("destroy", "--auto-approve")).toContain("Destroy complete!");
      expect(await site.leftovers()).toEqual({});
    });
  });
});
