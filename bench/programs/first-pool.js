// The twin of examples/first-pool: the same stack from the provider's classes alone.
const { AwsProvider } = require("@cdktf/provider-aws/lib/provider");
const { App, TerraformStack } = require("cdktf");
const { addPools } = require("./raw");

const app = new App();
const stack = new TerraformStack(app, "gpu-inference");
new AwsProvider(stack, "aws", { region: "us-east-1" });
addPools(stack, [
  {
    id: "inference",
    templateName: "gpu-inference-inference-38152f76",
    roleName: "gpu-inference-inference-node-38152f76",
  },
]);
app.synth();
