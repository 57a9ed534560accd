import { parse } from "yaml";
import { nodeLifecyclePart } from "../../../lib/pools/node-group/boot/node-lifecycle";
import { LIFECYCLE_LABEL } from "../../../lib/pools/node-group/market";
import { describeShellcheck } from "../../support/shellcheck";
import { BootNode, Run } from "./fakes/boot-node";

const CONFIG = "etc/eks/nodeadm.d/10-node-lifecycle.yaml";
const TOKEN = "PUT /latest/api/token";
const QUESTION = "GET /latest/meta-data/instance-life-cycle";

/** A node whose metadata service lets some calls time out. */
function nodeOf(market: string | undefined, silentCalls = 0): BootNode {
  return new BootNode({ silent: `${silentCalls}\n`, ...(market !== undefined && { market }) });
}

const boot = (node: BootNode): Run => node.run(nodeLifecyclePart());

/** What nodeadm makes of the file. */
const configOf = (node: BootNode) => parse(node.read(CONFIG));
const labelled = (market: string) => ({
  apiVersion: "node.eks.aws/v1alpha1",
  kind: "NodeConfig",
  spec: { kubelet: { flags: [`--node-labels=${LIFECYCLE_LABEL}=${market}`] } },
});

describe("a node", () => {
  test.each([
    ["spot", "spot"],
    ["on-demand", "on-demand"],
    ["normal", "on-demand"],
    ["scheduled", "on-demand"],
    ["capacity-block", "capacity-block"],
  ])("whose instance is %s is labelled %s", (market, label) => {
    const node = nodeOf(market);
    expect(boot(node)).toEqual({
      status: 0,
      log: [`node-lifecycle: the node is labelled ${label}`],
      calls: [TOKEN, QUESTION],
    });
    expect(configOf(node)).toEqual(labelled(label));
  });

  test.each([
    ["of a market that is not known", "interruptible-capacity-reservation"],
    ["whose metadata has an empty answer", ""],
  ])("%s joins without the label", (_, market) => {
    const node = nodeOf(market);
    const { status, log } = boot(node);
    expect({ status, log }).toEqual({
      status: 0,
      log: [`node-lifecycle: the node gets no label, since its market is unknown: '${market}'`],
    });
    expect(node.has(CONFIG)).toBe(false);
  });

  test("leaves nothing beside the file that nodeadm would read, too", () => {
    const node = nodeOf("spot");
    boot(node);
    expect(node.list("etc/eks/nodeadm.d")).toEqual(["10-node-lifecycle.yaml"]);
  });
});

describe("a metadata service", () => {
  test.each([
    ["is slow once", 1, [TOKEN, "sleep 2", TOKEN, QUESTION]],
    ["is slow twice", 2, [TOKEN, "sleep 2", TOKEN, "sleep 2", TOKEN, QUESTION]],
  ])("that %s is asked again", (_, silentCalls, calls) => {
    const node = nodeOf("spot", silentCalls);
    const run = boot(node);
    expect(run.status).toBe(0);
    expect(run.calls).toEqual(calls);
    expect(run.log[0]).toBe("node-lifecycle: no answer from the instance metadata service, attempt 1 of 10");
    expect(configOf(node)).toEqual(labelled("spot"));
  });

  test.each([
    ["is absent", "spot", 1000, [TOKEN, "sleep 2"]],
    ["does not know the market", undefined, 0, [TOKEN, QUESTION, "sleep 2"]],
  ])("that %s is asked ten times, and the node joins without the label", (_, market, silentCalls, attempt) => {
    const node = nodeOf(market, silentCalls);
    const { status, log, calls } = boot(node);
    expect(status).toBe(0);
    expect(calls).toEqual(Array(10).fill(attempt).flat());
    expect(log).toHaveLength(11);
    expect(log.at(-1)).toBe("node-lifecycle: the node gets no label, since its market is unknown: ''");
    expect(node.has(CONFIG)).toBe(false);
  });
});

describe("a file that another instance left in the image", () => {
  test.each<[string, string | undefined]>([
    ["is replaced", "on-demand"],
    ["goes where the market is unknown", undefined],
  ])("%s", (_, market) => {
    const node = nodeOf(market);
    node.write(CONFIG, JSON.stringify(labelled("spot")));
    boot(node);
    expect(node.has(CONFIG) ? configOf(node) : undefined).toEqual(market && labelled(market));
  });
});

describeShellcheck({ "the part of the user data": nodeLifecyclePart() });
