/** Every failure category, with its remedy. */
export const failureRemedies = {
  auth: "Log the agent in or give it a valid key, then send the message again.",
  rate_limit: "Wait until the provider's limit resets, or continue with another model or agent.",
  quota: "The plan's quota is used up: wait for its reset, or continue with another account, model or agent.",
  billing: "Add credit or fix the payment method with the provider, then send the message again.",
  model_unavailable: "Choose another model: `gantry agents` lists those that the agent offers.",
  context_overflow: "Compact the conversation, start a new session, or send less.",
  network: "Check the connection, proxy and base URL, then send the message again.",
  overloaded: "The provider is overloaded: try again in a minute, or use another model.",
  timeout: "Send the message again; raise the deadline if the work really takes that long.",
  refused: "The model declined: rephrase the request or use another model.",
  tool: "Look at the tool's output in the transcript, fix the cause and send the message again.",
  crashed: "The agent's process ended. The conversation is stored: send the message again to resume it.",
  protocol: "The agent sent something that Gantry could not read: see the raw events, and update the agent or Gantry.",
  cancelled: "It was stopped on request. Send a message to continue.",
  unknown: "See the message and the raw events for what the agent reported.",
} as const;
