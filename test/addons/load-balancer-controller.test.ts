import { LoadBalancerController } from "cdktf-elastic-gpu";
import { synthInCluster, theValues } from "../support/addon";

const valuesWith = (registry?: string) =>
  theValues(
    synthInCluster((stack, cluster) => new LoadBalancerController(stack, "load-balancers", { cluster }), { registry })
      .json,
  );

test("it names cluster, region and VPC, which it could not ask for, and targets pods", () => {
  expect(valuesWith()).toMatchObject({
    clusterName: "prod",
    region: "us-east-1",
    vpcId: "vpc-0123456789abcdef0",
    defaultTargetType: "ip",
    enableShield: false,
    enableWaf: false,
  });
  expect(valuesWith()).not.toHaveProperty("enableWafv2");
});

test("it asks WAF nothing where the cluster has mirrors, since it has no way there", () => {
  expect(valuesWith("registry.example.com/mirror")).toMatchObject({ enableWafv2: false });
});
